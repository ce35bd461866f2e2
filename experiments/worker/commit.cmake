# Sets ABLATE_COMMIT to the commit of the sources in FOLDER, with "-dirty" if they were changed since;
# to "unknown" without git. It goes into every record.
execute_process(COMMAND git describe --always --dirty WORKING_DIRECTORY ${FOLDER}
                OUTPUT_VARIABLE ABLATE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT ABLATE_COMMIT)
  set(ABLATE_COMMIT unknown)
endif()
if(CMAKE_SCRIPT_MODE_FILE)
  message(STATUS "${ABLATE_COMMIT}")  # cmake -D FOLDER=. -P commit.cmake
endif()
