/** One kind of value a setting may take. `read` answers undefined for what is not one; text stands for numbers and booleans, as in the environment. */
export interface Check<T> {
  /** Finishes the sentence "must be …". */
  readonly allowed: string;
  readonly read: (value: unknown) => T | undefined;
}

export const text: Check<string> = {
  allowed: 'text that is not empty',
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
};

const WORDS: Readonly<Record<string, boolean>> = { true: true, on: true, '1': true, false: false, off: false, '0': false };

export const flag: Check<boolean> = {
  allowed: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : typeof value === 'string' ? WORDS[value.toLowerCase()] : undefined),
};

export function integer(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Check<number> {
  return {
    allowed: maximum === Number.MAX_SAFE_INTEGER ? `a whole number, ${minimum} or more` : `a whole number from ${minimum} to ${maximum}`,
    read: (value) => {
      const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
      return typeof number === 'number' && Number.isInteger(number) && number >= minimum && number <= maximum ? number : undefined;
    },
  };
}

export function oneOf<const T extends string>(...words: readonly T[]): Check<T> {
  return { allowed: `one of ${words.join(', ')}`, read: (value) => words.find((word) => word === value) };
}

export function matching(pattern: RegExp, allowed: string): Check<string> {
  return { allowed, read: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined) };
}

export const origins: Check<readonly string[] | '*' | false> = {
  allowed: "'*', false, or a list of origins such as 'https://example.com'",
  read: (value) => {
    if (value === '*' || value === false) return value;
    const list: unknown = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
    const isOrigin = (item: unknown): item is string => typeof item === 'string' && /^https?:\/\/[^/\s]+$/.test(item);
    return Array.isArray(list) && list.every(isOrigin) ? list : undefined;
  },
};

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** A length of time as whole seconds: `900`, `'15m'`, `'30d'`. */
export const seconds: Check<number> = {
  allowed: "a number of seconds, or a length of time such as '15m', '12h' or '30d'",
  read: (value) => {
    const [, amount = '', unit = 's'] = /^(\d{1,9})([smhdw])?$/.exec(typeof value === 'number' || typeof value === 'string' ? String(value) : '') ?? [];
    const length = Number(amount) * (UNITS[unit] ?? 1);
    return amount !== '' && length > 0 ? length : undefined;
  },
};

export const names: Check<readonly string[]> = {
  allowed: 'a list of names',
  read: (value) => (Array.isArray(value) && value.every((item): item is string => typeof item === 'string' && item !== '') ? value : undefined),
};

/** An object with some of these keys and no others. */
export function section(keys: Readonly<Record<string, Check<unknown>>>): Check<Readonly<Record<string, unknown>>> {
  const allowed = Object.entries(keys).map(([key, check]) => `${key} (${check.allowed})`).join('; ');
  return {
    allowed: `an object with some of: ${allowed}`,
    read: (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
      const read = Object.entries(value).map(([key, item]) => [key, Object.hasOwn(keys, key) ? keys[key]?.read(item) : undefined] as const);
      return read.every(([, item]) => item !== undefined) ? Object.fromEntries(read) : undefined;
    },
  };
}

/** A switch, or more than that. */
export function flagOr<T>(check: Check<T>): Check<boolean | T> {
  return { allowed: `${flag.allowed}, or ${check.allowed}`, read: (value) => flag.read(value) ?? check.read(value) };
}

/** Prints a refused value briefly, on one line and without the password of a URL. */
export function printValue(value: unknown): string {
  const printed = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value)).replace(/:\/\/[^/@\s]*@/, '://***@');
  return printed.length > 80 ? `${printed.slice(0, 77)}...` : printed;
}
