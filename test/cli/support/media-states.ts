import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExampleState } from './example-states.js';

/** One pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Images that are not in the media library yet. */
const WITH_IMAGE: ExampleState = {
  prepare: ({ root }) => {
    for (const name of ['lamp.png', 'lamp-at-night.png']) writeFileSync(join(root, name), PIXEL);
  },
};

const withUploadedImage = (): ExampleState => ({
  prepare: async (site) => {
    await WITH_IMAGE.prepare?.(site);
    await site.cms('cms media add lamp.png');
  },
});

const WITH_UPLOADED_IMAGE = withUploadedImage();

/** What the examples of `cms media` need. */
export const MEDIA_STATES: Readonly<Record<string, ExampleState>> = {
  "cms media add lamp.png --alt 'A lamp'": WITH_IMAGE,
  "cms media add lamp.png --link 'article notes-on-rye cover'": WITH_IMAGE,
  'cms media show lamp.png': WITH_UPLOADED_IMAGE,
  "cms media update lamp.png --alt 'A lamp at night'": WITH_UPLOADED_IMAGE,
  'cms media replace lamp.png lamp-at-night.png': withUploadedImage(),
  'cms media delete lamp.png --yes': withUploadedImage(),
  'cms media delete lamp.png --dry-run': WITH_UPLOADED_IMAGE,
  'cms media regenerate lamp.png --yes': WITH_UPLOADED_IMAGE,
};
