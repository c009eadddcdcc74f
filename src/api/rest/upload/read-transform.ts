import type { Config } from '../../../config/config.js';
import { createError } from '../../../errors/catalogue.js';
import type { Transform, TransformFormat } from '../../../media/transforms/transform.js';

type Settings = Config['upload']['transforms'];

const FITS = ['cover', 'inside'] as const;
const AUTO = 'auto';
/** Candidates of `format=auto`: the types that are smaller than others. */
const SMALL_FORMATS = ['avif', 'webp'] as const;

/** Returns one of the allowed values. Null: the parameter is missing. */
const readOne = <Value extends string | number>(
  params: URLSearchParams,
  parameter: string,
  allowed: readonly Value[],
): Value | null => {
  const values = params.getAll(parameter);
  const [first] = values;
  if (first === undefined) return null;
  const known = allowed.find((value) => String(value) === first);
  if (known === undefined || values.length > 1)
    throw createError('upload/invalid-transform', {
      parameter,
      value: values.join(', ').slice(0, 100),
      allowed: allowed.join(', '),
    });
  return known;
};

const accepts = (accept: string, type: string): boolean =>
  accept.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    return name === type && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

const chooseFormat = (accept: string, { formats }: Settings): TransformFormat | null =>
  SMALL_FORMATS.find((format) => formats.includes(format) && accepts(accept, `image/${format}`)) ?? null;

/**
 * Transformation that a request asks of an image. `varies` is true if the response depends on the Accept
 * header.
 */
export interface RequestedTransform {
  readonly transform: Transform;
  readonly varies: boolean;
}

/**
 * Reads what a query string asks of an image. Null: nothing. Parameters of other names are left alone, since
 * addresses are often made different by them.
 *
 * @throws `upload/invalid-transform` for values that are not allowed
 */
export function readTransform(query: string, accept: string, settings: Settings): RequestedTransform | null {
  if (query === '' || settings.sizes.length === 0) return null;
  const params = new URLSearchParams(query);
  const width = readOne(params, 'width', settings.sizes);
  const height = readOne(params, 'height', settings.sizes);
  const fit = readOne(params, 'fit', FITS);
  const format = readOne(params, 'format', [...settings.formats, AUTO]);
  const quality = readOne(params, 'quality', settings.qualities);
  if ([width, height, format, quality].every((value) => value === null)) return null;
  const varies = format === AUTO;
  return {
    transform: {
      width,
      height,
      fit: fit ?? 'cover',
      format: format === AUTO ? chooseFormat(accept, settings) : format,
      quality,
    },
    varies,
  };
}
