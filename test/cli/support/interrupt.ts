/** Raises SIGINT as soon as something listens for it, as Ctrl-C does while a command works. */
export function interruptNext(): void {
  const onListener = (event: string | symbol): void => {
    if (event !== 'SIGINT') return;
    process.off('newListener', onListener);
    queueMicrotask(() => process.emit('SIGINT'));
  };
  process.on('newListener', onListener);
}
