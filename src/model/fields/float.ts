import { defineDoubleField } from './double-field.js';

/** A number in double precision. */
export const floatField = defineDoubleField('float');
