import { testMatrix } from './matrix/test-matrix.js';

testMatrix('postgresql');
