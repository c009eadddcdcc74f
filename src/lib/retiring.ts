/**
 * Emitted on an application's own HTTP server when another one takes its place or it is about to close: whoever holds upgraded connections ends
 * them, since they would keep it from closing.
 */
export const RETIRING = 'galley:retiring';
