import { defineTextField } from './text-field.js';

/** Several lines of text. */
export const textField = defineTextField({ name: 'text', indexable: false });
