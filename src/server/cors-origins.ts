import type { Config } from '../config/config.js';

const SUBDOMAINS = String.raw`(?:[\w-]+\.)+`;

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** `https://*.example.com` stands for all subdomains at any depth, `http://localhost:*` for all ports. */
const toPattern = (origin: string): RegExp => {
  const source = escapePattern(origin)
    .replace(String.raw`://\*\.`, `://${SUBDOMAINS}`)
    .replace(/:\\\*$/, String.raw`(?::\d{1,5})?`);
  return new RegExp(`^${source}$`);
};

/** Returns what requests' origins are compared with. */
export function allowedOrigins(
  origin: Exclude<Config['server']['cors']['origin'], false>,
): '*' | (string | RegExp)[] {
  if (origin === '*') return origin;
  return origin.map((each) => (each.includes('*') ? toPattern(each) : each));
}
