import { loadDotenv } from 'c12';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** What earlier loads took from a .env into this process, so that an edited file or another project's file can take its place. */
const fromFiles = new Map<string, string>();

const forgetFiles = (): void => {
  for (const [name, value] of fromFiles) if (process.env[name] === value) delete process.env[name];
  fromFiles.clear();
};

/**
 * Reads the project's .env into the process's environment, for the config file and the project's own code, and returns the whole.
 * What the environment itself says is never overridden.
 */
export async function loadEnvironment(root: string): Promise<EnvironmentVariables> {
  forgetFiles();
  const merged = await loadDotenv({ cwd: root, env: { ...process.env } });
  for (const [name, value] of Object.entries(merged)) {
    if (value === undefined || process.env[name] !== undefined) continue;
    process.env[name] = value;
    fromFiles.set(name, value);
  }
  return Object.freeze({ ...merged });
}
