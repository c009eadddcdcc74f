/** Lets one holder in at a time, in the order they asked. */
export interface Turns {
  /** Waits for the turn; call what it answers, once or more, to pass it on. */
  readonly take: () => Promise<() => void>;
  /** Runs `work` in a turn of its own. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  const take: Turns['take'] = async () => {
    const before = last;
    let pass: () => void = () => undefined;
    last = new Promise<void>((resolve) => {
      pass = resolve;
    });
    await before;
    return pass;
  };
  return {
    take,
    run: async (work) => {
      const pass = await take();
      try {
        return await work();
      } finally {
        pass();
      }
    },
  };
}
