"""Group talks: who speaks next, who hears it, and when the talk ends."""
