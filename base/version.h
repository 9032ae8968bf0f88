/* The version of Heddle, by https://semver.org. It is shown by --version, in generated files, and on the man page.
 * CHANGELOG.md lists the changes of each version. */
#ifndef HEDDLE_BASE_VERSION_H
#define HEDDLE_BASE_VERSION_H

#define HD_VERSION "1.0.0"

#endif
