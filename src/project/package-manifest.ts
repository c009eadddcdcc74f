import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface PackageManifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The folder of Galley's package. */
export const PACKAGE_ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Reads Galley's package.json. */
export function readPackageManifest(): PackageManifest {
  return JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as PackageManifest;
}

/** Returns Galley's version. */
export function packageVersion(): string {
  return readPackageManifest().version;
}
