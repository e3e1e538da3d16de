"""`python -m townsfolk`."""

from townsfolk.start import main

main()
