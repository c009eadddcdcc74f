import { isRecord } from '../lib/is-record.js';
import type { FileValues } from './file-hooks.js';
import type { StoredPlace, StoredPlaces } from './media.js';

const keyOf = ({ hash, ext }: FileValues): string => `${String(hash)}${typeof ext === 'string' ? ext : ''}`;

const formatsOf = (row: FileValues): readonly (readonly [string, FileValues])[] =>
  isRecord(row['formats'])
    ? Object.entries(row['formats']).flatMap(([name, format]) => (isRecord(format) ? [[name, format]] : []))
    : [];

/** The row of a file and its formats: everything that is stored as an object. */
const partsOf = (row: FileValues): readonly FileValues[] => [
  row,
  ...formatsOf(row).map(([, format]) => format),
];

/** Returns the names under which a file and its copies are stored. */
export function keysOfRow(row: FileValues): readonly string[] {
  return partsOf(row).map(keyOf);
}

/** Returns the names of a file's copies, in the order of their keys: `thumbnail`. */
export function formatNamesOfRow(row: FileValues): readonly string[] {
  return formatsOf(row).map(([name]) => name);
}

const parsePlace = (values: FileValues): StoredPlace => ({
  url: String(values['url']),
  previewUrl: typeof values['previewUrl'] === 'string' ? values['previewUrl'] : null,
  metadata: values['provider_metadata'] ?? null,
});

/** Returns where the row of a file says that its objects are. */
export function placesOfRow(row: FileValues): StoredPlaces {
  return Object.fromEntries(partsOf(row).map((part) => [keyOf(part), parsePlace(part)]));
}

/** Reads what was stored as JSON. */
export function parsePlaces(value: unknown): StoredPlaces {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, place]) =>
      isRecord(place) ? [[key, parsePlace({ ...place, provider_metadata: place['metadata'] })]] : [],
    ),
  );
}

const withPlace = (values: FileValues, places: StoredPlaces): FileValues => {
  const place = places[keyOf(values)];
  if (place === undefined) return values;
  const { url, previewUrl, metadata } = place;
  return { ...values, url, ...(previewUrl === null ? {} : { previewUrl }), provider_metadata: metadata };
};

/** Returns the values of a file's row with the addresses that its store has decided on. */
export function withPlaces(values: FileValues, places: StoredPlaces): FileValues {
  const formats = formatsOf(values).map(([name, format]) => [name, withPlace(format, places)] as const);
  const placed = withPlace(values, places);
  return formats.length === 0 ? placed : { ...placed, formats: Object.fromEntries(formats) };
}
