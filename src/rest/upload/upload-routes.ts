/** The media library's endpoints, under the API's prefix; `action` is of `plugin::upload.content-api`. */
export const UPLOAD_ROUTES = [
  { method: 'POST', path: '/upload', action: 'upload' },
  { method: 'GET', path: '/upload/files', action: 'find' },
  { method: 'GET', path: '/upload/files/:id', action: 'findOne' },
  { method: 'DELETE', path: '/upload/files/:id', action: 'destroy' },
] as const;

export type UploadAction = (typeof UPLOAD_ROUTES)[number]['action'];

/** Where the files of the local store are served, to everybody who knows their names. */
export const SERVED_UPLOADS = '/uploads';
