/**
 * Event emitted on the HTTP server of an application that is being replaced or closed. Listeners with
 * upgraded connections must end them, because they would keep the server from closing.
 */
export const DRAINING = 'galley:retiring';
