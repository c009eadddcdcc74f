/** Returns the line of a position, starting at 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Puts spaces in place of comments, so that lines and positions stay the same. */
export function blankComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/g, (comment) =>
    comment.replace(/[^\n]/g, ' '),
  );
}
