const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs work that must not stop half-way: a Ctrl-C meanwhile is put off until it is done. */
export async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
  let asked: NodeJS.Signals | undefined;
  const hold = (signal: NodeJS.Signals): void => { asked = signal; };
  for (const signal of SIGNALS) process.on(signal, hold);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, hold);
    if (asked !== undefined) process.kill(process.pid, asked);
  }
}
