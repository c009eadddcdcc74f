import { SHORT_TEXT_CHARACTERS, defineTextField } from './text-value.js';

/** A single line of text. */
export const stringField = defineTextField({ name: 'string', maxCharacters: SHORT_TEXT_CHARACTERS });
