/** Option of Node with which every time that a process asks for is wrong by so many minutes. */
export function wrongClock(minutes: number): string {
  const code = `const Right=Date;const off=${minutes * 60_000};
globalThis.Date=class extends Right{constructor(...a){a.length===0?super(Right.now()+off):super(...a)}
static now(){return Right.now()+off}};`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}
