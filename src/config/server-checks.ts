import { isIP } from 'node:net';
import * as v from 'valibot';
import { check, flag } from './checks.js';
import type { Check } from './checks.js';

const MAX_HOPS = 32;
const IPV4_BITS = 32;
const IPV6_BITS = 128;

/** Networks that have names: loopback, link-local and private addresses. */
const NETWORK_NAMES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** True if text is an address, a network such as `10.0.0.0/8`, or the name of one. */
const isNetwork = (value: string): boolean => {
  if (NETWORK_NAMES.has(value)) return true;
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? IPV4_BITS : IPV6_BITS);
};

const hops = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_HOPS));
const networks = v.pipe(v.array(v.pipe(v.string(), v.check(isNetwork))), v.minLength(1));

export const proxies: Check<boolean | number | readonly string[]> = check(
  "true or false, a number of proxies, or a list of addresses and networks such as '10.0.0.0/8'",
  v.pipe(v.unknown(), v.union([hops, networks, flag.schema])),
);

const list = (item: v.GenericSchema<string>) => {
  const items = v.array(item);
  return v.union([
    items,
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',').map((part) => part.trim())),
      items,
    ),
  ]);
};

/** A `*` stands for subdomains or for a port. Apps have schemes of their own; `null` is that of files. */
const ORIGIN = /^(?:[a-z][a-z\d+.-]*:\/\/(?:\*\.)?[^/\s*]*(?::\*)?|null)$/;

/** True if requests can have an origin of this form. */
export function isOrigin(text: string): boolean {
  return ORIGIN.test(text);
}

export const origins: Check<readonly string[] | '*' | false> = check(
  "'*', false, or a list of origins such as 'https://example.com', 'https://*.example.com', " +
    "'http://localhost:*' or 'capacitor://localhost'",
  v.pipe(v.unknown(), v.union([v.literal('*'), v.literal(false), list(v.pipe(v.string(), v.regex(ORIGIN)))])),
);

export const publicUrl: Check<string> = check(
  'the address people reach the server at, such as https://api.example.com or https://example.com/cms',
  v.pipe(
    v.unknown(),
    v.string(),
    v.regex(/^(?:https?:\/\/[^\s/?#]+(?:\/[\w.~%-]+)*\/?)?$/),
    v.transform((url) => url.replace(/\/$/, '')),
  ),
);
