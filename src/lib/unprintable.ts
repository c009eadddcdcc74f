/**
 * Stands in the JSON of a record for a value that a statement cannot print as GraphQL does, such as null
 * where null is not allowed. Content may contain the text, too: whoever looks for it must be able to be
 * wrong.
 */
export const UNPRINTABLE = 'galley:unprintable';
