"""What comes from outside as a file, damaged in many ways, against the program that reads it: ``make fuzz``."""
