import { loadDotenv } from 'c12';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Variables that earlier calls set from a .env file, so that the next call can replace them. */
const loadedFromFiles = new Map<string, string>();

const unsetLoadedFromFiles = (): void => {
  for (const [name, value] of loadedFromFiles) if (process.env[name] === value) delete process.env[name];
  loadedFromFiles.clear();
};

/**
 * Reads the project's .env into the environment of the process, for the config file and the project's own
 * code. Variables that are set already keep their values. Returns all variables.
 */
export async function loadEnvironment(root: string): Promise<EnvironmentVariables> {
  unsetLoadedFromFiles();
  const merged = await loadDotenv({ cwd: root, env: { ...process.env } });
  for (const [name, value] of Object.entries(merged)) {
    if (value === undefined || process.env[name] !== undefined) continue;
    process.env[name] = value;
    loadedFromFiles.set(name, value);
  }
  return Object.freeze({ ...merged });
}
