const TIME = /^(2[0-3]|[01]\d):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}/;

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  throw new Error(`Expected a string, got a ${typeof value}`);
};

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** Undefined: the text is no date. */
const parseIso = (text: string): Date | undefined => {
  const day = DAY.exec(text);
  const date =
    day === null
      ? new Date(ISO_TIME.test(text) ? text : Number.NaN)
      : new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
  return Number.isNaN(date.getTime()) ? undefined : date;
};

const printDay = (date: Date): string =>
  `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

const parseTime = (value: unknown): string => {
  if (value instanceof Date)
    return (
      [value.getHours(), value.getMinutes(), value.getSeconds()].map((part) => pad(part)).join(':') +
      `.${pad(value.getMilliseconds(), 3)}`
    );
  const match = TIME.exec(textOf(value));
  if (match === null) throw new Error('Invalid time format, expected HH:mm:ss.SSS');
  const [, hours, minutes, seconds, fraction = ''] = match;
  return `${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
};

const parseDay = (value: unknown): string => {
  const date = value instanceof Date ? value : parseIso(textOf(value));
  if (date === undefined) throw new Error('Invalid format, expected an ISO compatible date');
  return printDay(date);
};

const parseInstant = (value: unknown): Date => {
  if (value instanceof Date) return value;
  const text = textOf(value);
  const date = parseIso(text) ?? (/^-?\d+$/.test(text) ? new Date(Number(text)) : undefined);
  if (date === undefined) throw new Error('Invalid format, expected a timestamp or an ISO date');
  return date;
};

const parseBoolean = (value: unknown, forceCast: boolean): boolean => {
  if (typeof value === 'boolean') return value;
  if (['true', 't', '1', 1].includes(value as string | number)) return true;
  if (['false', 'f', '0', 0].includes(value as string | number)) return false;
  if (forceCast) return Boolean(value);
  throw new Error('Invalid boolean input. Expected "t","1","true","false","0","f"');
};

interface ParseTypeOptions {
  readonly type: string;
  readonly value: unknown;
  readonly forceCast?: boolean;
}

/** `parseType` of `@strapi/utils`: a value as an attribute of a type has it. */
export function parseType({ type, value, forceCast = false }: ParseTypeOptions): unknown {
  switch (type) {
    case 'boolean':
      return parseBoolean(value, forceCast);
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
      return Number(value);
    case 'time':
      return parseTime(value);
    case 'date':
      return parseDay(value);
    case 'timestamp':
    case 'datetime':
      return parseInstant(value);
    default:
      return value;
  }
}
