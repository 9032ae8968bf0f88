// Below is the simulation body. For silicon define HEDDLE_SRAM_MACRO: then this file is empty, and
// you give a module of the same name, parameters and ports, with macros of DEPTH rows of WIDTH bits in it.
// All other modules see only these ports.
`ifndef HEDDLE_SRAM_MACRO
