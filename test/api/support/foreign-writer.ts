import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Another process that writes to a database without the toolkit. */
export interface ForeignWriter {
  /** Runs a script. Resolves once the other process says that it is committed. One at a time. */
  readonly run: (sql: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startForeignWriter(url: string): Promise<ForeignWriter> {
  const child = fork(fileURLToPath(new URL('foreign-writer.mjs', import.meta.url)), [url]);
  const answered = async (): Promise<void> => {
    const [error]: unknown[] = await once(child, 'message');
    if (typeof error === 'string') throw new Error(error);
  };
  await answered();
  return {
    run: async (sql) => {
      const answer = answered();
      child.send(sql);
      await answer;
    },
    close: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
