import { defineDoubleField } from './number-value.js';

/** A number in double precision. */
export const decimalField = defineDoubleField('decimal');
