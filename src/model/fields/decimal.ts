import { defineDoubleField } from './double-field.js';

/** A number in double precision. */
export const decimalField = defineDoubleField('decimal');
