import { defineTextField } from './text-field.js';
import { SHORT_TEXT_CHARACTERS } from './text-value.js';

/** A single line of text. */
export const stringField = defineTextField({ name: 'string', maxCharacters: SHORT_TEXT_CHARACTERS });
