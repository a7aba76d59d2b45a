/** How a long piece of work reports its progress. */
export interface Progress {
  /** Names one step and says how long it took, or that it failed. Steps of one Progress don't overlap. */
  step<Result>(title: string, work: (detail: (text: string) => void) => Promise<Result>): Promise<Result>;
  /** One line, at any time. */
  note(text: string): void;
}

export const silentProgress: Progress = {
  step: (_title, work) => work(() => undefined),
  note: () => undefined,
};

const TITLE_WIDTH = 34;
/** Without a terminal that can be rewritten, a step that takes longer than this says that it is at work. */
const PATIENCE_MS = 3_000;

/** Progress for people: on a terminal the running step's line is rewritten, elsewhere each line is written once. */
export function consoleProgress(output: NodeJS.WriteStream): Progress {
  let running: string | undefined;
  const draw = (text: string) => output.write(output.isTTY ? `\r\x1b[2K${text}` : `${text}\n`);

  return {
    async step(title, work) {
      const begun = performance.now();
      const seconds = () => `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
      let patience: NodeJS.Timeout | undefined;
      const show = (detail: string) => {
        clearTimeout(patience);
        running = `  … ${title}${detail && `: ${detail}`}`;
        draw(running);
      };
      if (output.isTTY) show('');
      else patience = setTimeout(show, PATIENCE_MS, '');
      let mark = '✗';
      try {
        const result = await work(show);
        mark = '✓';
        return result;
      } finally {
        clearTimeout(patience);
        running = undefined;
        draw(`  ${mark} ${title.padEnd(TITLE_WIDTH)} ${seconds()}${output.isTTY ? '\n' : ''}`);
      }
    },
    note(text) {
      draw(`  ${text}${output.isTTY ? '\n' : ''}`);
      if (running !== undefined && output.isTTY) draw(running);
    },
  };
}
