import { isRecord } from '../../lib/is-record.js';
import type { JsonValue } from '../../lib/stored-value.js';
import type { ImportedObject, MediaLibrary } from '../../media/media.js';
import type { AssetRecord, EntityRecord } from '../source.js';
import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import type { Tally } from './tally.js';

type Values = Readonly<Record<string, JsonValue>>;

/** A file's record with its place in our store, and the objects to put there. */
export interface PlacedFile {
  readonly record: EntityRecord;
  readonly objects: readonly ImportedObject[];
}

const isValues = (value: unknown): value is Values => isRecord(value);

/** Names lead nowhere else, and hide nothing. */
const SAFE_NAME = /^[^./\\\0][^/\\\0]*$/;

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const keyOf = ({ hash, ext }: Values): string => textOf(hash) + textOf(ext);

const assetOf = (assets: ReadonlyMap<string, AssetRecord>, values: Values): AssetRecord | undefined => {
  const key = keyOf(values);
  return SAFE_NAME.test(key) ? assets.get(key) : undefined;
};

const toObject = (asset: AssetRecord, { mime }: Values): ImportedObject => ({
  key: asset.name,
  mime: typeof mime === 'string' ? mime : 'application/octet-stream',
  open: () => asset.open(),
});

/** Sets the URLs of a file to this project's storage. A file whose content the export lacks keeps its URL. */
export function placeFile(
  record: EntityRecord,
  assets: ReadonlyMap<string, AssetRecord>,
  storage: ReturnType<MediaLibrary['storage']>,
  tally: Tally,
): PlacedFile {
  const objects: ImportedObject[] = [];
  const place = (values: Values): Values => {
    const asset = assetOf(assets, values);
    if (asset === undefined) return values;
    objects.push(toObject(asset, values));
    return { ...values, url: storage.urlOf(asset.name) };
  };
  const isStored = assetOf(assets, record.data) !== undefined;
  if (!isStored)
    tally.add({ what: FILE_UID, reason: 'the export has no content for the file, which keeps its URL' });
  const { formats } = record.data;
  const placedFormats = isValues(formats)
    ? Object.fromEntries(
        Object.entries(formats).map(([name, format]) => [name, isValues(format) ? place(format) : format]),
      )
    : (formats ?? null);
  const data = {
    ...place(record.data),
    formats: placedFormats,
    ...(isStored ? { provider: storage.name, provider_metadata: null } : {}),
  };
  return { record: { ...record, data }, objects };
}
