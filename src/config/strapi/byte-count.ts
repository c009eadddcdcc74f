const MEGABYTE = 1024 * 1024;
const BYTES_BY_UNIT: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1024,
  mb: MEGABYTE,
  gb: 1024 * MEGABYTE,
};

/** `10mb` → bytes. Numbers are bytes already, and what is no size stays as it is. */
export function byteCount(size: unknown): unknown {
  if (size === undefined || size === null) return undefined;
  if (typeof size !== 'string' && typeof size !== 'number') return size;
  const [, amount, unit = 'b'] = /^([\d.]+)\s*(b|kb|mb|gb)?$/i.exec(String(size)) ?? [];
  return amount === undefined ? size : Math.floor(Number(amount) * (BYTES_BY_UNIT[unit.toLowerCase()] ?? 1));
}
