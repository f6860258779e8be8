build/tests/fuzz/write.o: tests/fuzz/write.cpp tests/fuzz/write.h \
 tests/fuzz/program.h
tests/fuzz/write.h:
tests/fuzz/program.h:
