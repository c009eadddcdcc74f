import { defineMomentField } from './moment-field.js';

/** A date and time in UTC, to the millisecond. */
export const datetimeField = defineMomentField({ name: 'datetime', input: 'string' });
