/* Ends a reading of params.def. */
#undef SECTION
#undef END
#undef INT
#undef BOOL
#undef ENUM
