import type { ErrorEntries } from '../galley-error.js';

/** Errors of uploaded files: requests, content and storage. */
export const UPLOAD_ERRORS = {
  'upload/missing-files': {
    kind: 'validation',
    message:
      'The request contains no file. Send multipart/form-data with one or more files in the field files.',
  },
  'upload/unexpected-field': {
    kind: 'validation',
    message: 'Files must be sent in the field files, not in {field}.',
  },
  'upload/unknown-field': {
    kind: 'validation',
    message: 'The form has an unknown field {field}. Allowed: {known}.',
  },
  'upload/too-many-replacement-files': {
    kind: 'validation',
    message: 'A file can only be replaced by one file.',
  },
  'upload/too-many-files': { kind: 'validation', message: 'A request may contain at most {limit} files.' },
  'upload/invalid-multipart': {
    kind: 'validation',
    message: 'The multipart body is malformed or incomplete.',
  },
  'upload/too-many-fields': { kind: 'validation', message: 'The form has more than {limit} fields.' },
  'upload/fields-too-large': {
    kind: 'validation',
    message: 'The fields of the form are larger than {limit} bytes in total.',
  },
  'upload/private-bucket': {
    kind: 'failure',
    message: "Files in a private bucket need the provider's package, which is not installed.",
    hint: '{remedy}',
  },
  'upload/empty-file': { kind: 'validation', message: '{name} is empty.' },
  'upload/too-large': { kind: 'payload-too-large', message: '{name} is larger than {limit} bytes.' },
  'upload/type-mismatch': {
    kind: 'validation',
    message: '{name} is declared as {claimed}, but its content is {actual}.',
  },
  'upload/type-not-allowed': {
    kind: 'validation',
    message: '{name} is {type}. Files of this type may not be uploaded.',
  },
  'upload/replacement-type-not-allowed': {
    kind: 'validation',
    message: '{name} is {type}, but the attributes that link to this file accept only {allowed}.',
    hint: 'Upload it as a new file.',
  },
  'upload/create-not-supported': {
    kind: 'validation',
    message: 'The document service cannot create files whose content is stored here.',
    hint: 'Upload the content with POST /api/upload, or pass the url of a file on another server.',
  },
  'upload/read-only-attribute': {
    kind: 'validation',
    message:
      'The attribute {attribute} describes the stored content of a file; the document service cannot ' +
      'change it.',
    hint: 'Replace the content with POST /api/upload?id=….',
  },
  'upload/invalid-image': {
    kind: 'validation',
    message: '{name} is damaged: it cannot be opened as an image.',
  },
  'upload/too-many-pixels': {
    kind: 'validation',
    message: '{name} has {width} × {height} pixels; the limit is {limit} pixels in total.',
  },
  'upload/too-many-pixels-in-request': {
    kind: 'payload-too-large',
    message: 'The images have more than {limit} pixels in total.',
    hint: 'Upload them in several requests, or raise upload.maxRequestPixels.',
  },
  'upload/invalid-transform': {
    kind: 'validation',
    message: 'The parameter {parameter} may not be {value}. Allowed: {allowed}.',
    hint: 'Sizes, qualities and formats are listed in upload.transforms of cms.config.',
  },
  'upload/not-transformable': {
    kind: 'validation',
    message: '{name} is {type}: only images can be resized and converted.',
  },
  'upload/transforms-unavailable': {
    kind: 'unavailable',
    message: 'This server cannot resize or convert images because the package sharp is not installed.',
    hint: 'Run on the server: npm install --include=optional sharp',
  },
  'upload/busy': { kind: 'unavailable', message: 'Too many images are being processed; try again.' },
  'upload/invalid-file-info': { kind: 'validation', message: 'fileInfo: {reason}.' },
  'upload/invalid-reference': { kind: 'validation', message: '{field}: {reason}.' },
  'upload/timed-out': { kind: 'unavailable', message: 'Storing the files took too long; try again.' },
  'upload/storage-unavailable': {
    kind: 'unavailable',
    message: 'The file storage is not available; try again.',
  },
  'upload/no-file': {
    kind: 'failure',
    message: '{path} is not a file.',
    hint: 'Pass files, not folders: cms media add photos/*',
  },
  'upload/missing-object': {
    kind: 'failure',
    message: '{name}: the file storage does not contain its object {key}.',
    hint: 'Restore it from a backup, or upload new content with: cms media replace FILE PATH',
  },
  'upload/image-processing-unavailable': {
    kind: 'failure',
    message:
      'The package sharp, which processes images, is not installed for this platform. Images are stored ' +
      'unchanged, without dimensions and without smaller formats.',
    hint: 'Run: npm install --include=optional sharp',
  },
  'upload/missing-package': {
    kind: 'failure',
    message: 'upload.provider is s3, but the packages it needs are not installed.',
    hint: 'Run: npm install {packages}',
  },
  'upload/delete-in-hook': {
    kind: 'failure',
    message: 'A before hook cannot delete a file: its content could not be restored if the write fails.',
    hint: 'Delete the file in an after hook.',
  },
} as const satisfies ErrorEntries;

/** Errors of commands about the media library. */
export const MEDIA_ERRORS = {
  'media/unknown-file': {
    kind: 'not-found',
    message: 'The media library has no file {name}.',
    hint: 'Identify it by its name, id, documentId, hash or URL. cms media list lists all.',
  },
  'media/not-regenerated': { kind: 'validation', message: '{reason}' },
} as const satisfies ErrorEntries;
