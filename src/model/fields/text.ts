import { defineTextField } from './text-value.js';

/** Several lines of text. */
export const textField = defineTextField({ name: 'text', indexable: false });
