import { runCommand } from '#server/programs/run-command.ts';

/** Runs a command of an administrator of systems. Returns its exit code, and all that it printed. */
export async function runSaid(
  command: Parameters<typeof runCommand>[0],
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: Awaited<ReturnType<typeof runCommand>>; said: string }> {
  let said = '';
  const print = (line: string) => (said += `${line}\n`);
  const code = await runCommand(command, { args, env, print, printError: print });
  return { code, said };
}
