/* The version of Heddle, as https://semver.org has it: shown by --version, in what is generated, on the man page. CHANGELOG.md
 * says what a version brought. */
#ifndef HEDDLE_BASE_VERSION_H
#define HEDDLE_BASE_VERSION_H

#define HD_VERSION "1.0.0"

#endif
