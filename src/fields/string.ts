import { defineTextField } from './text-field.js';

/** A single line of text. */
export const stringField = defineTextField({ name: 'string' });
