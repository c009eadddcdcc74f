import { testMatrix } from './matrix/test-matrix.js';

testMatrix('sqlite');
