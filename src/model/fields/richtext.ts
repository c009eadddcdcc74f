import { defineTextField } from './text-value.js';

/** Text with markup (Markdown or HTML), stored as written. */
export const richtextField = defineTextField({ name: 'richtext', indexable: false });
