// What is below is the simulation body. Put a foundry macro of DEPTH rows of WIDTH bits in its place for
// silicon; everything else sees only these ports.
