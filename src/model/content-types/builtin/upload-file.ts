/** An uploaded file, the target of media attributes. */
export const UPLOAD_FILE = {
  kind: 'collectionType',
  collectionName: 'files',
  info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
  options: { draftAndPublish: false },
  attributes: {
    name: { type: 'string', required: true, configurable: false },
    alternativeText: { type: 'text', configurable: false },
    caption: { type: 'text', configurable: false },
    focalPoint: { type: 'json', configurable: false },
    width: { type: 'integer', configurable: false },
    height: { type: 'integer', configurable: false },
    formats: { type: 'json', configurable: false },
    hash: { type: 'string', required: true, configurable: false },
    ext: { type: 'string', configurable: false },
    mime: { type: 'string', required: true, configurable: false },
    size: { type: 'decimal', required: true, configurable: false },
    url: { type: 'text', required: true, configurable: false },
    previewUrl: { type: 'text', configurable: false },
    provider: { type: 'string', required: true, configurable: false },
    provider_metadata: { type: 'json', configurable: false },
  },
} as const;
