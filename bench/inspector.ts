/** Connection to the inspector of a Node process, in Chrome's protocol. */
export interface Inspector {
  ask<Reply = unknown>(method: string, params?: object): Promise<Reply>;
  close(): void;
}

/** Connects to the process that runs with `--inspect` at this port of this machine. */
export async function openInspector(port: number): Promise<Inspector> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  let id = 0;
  return {
    ask: <Reply>(method: string, params: object = {}) =>
      new Promise<Reply>((resolve, reject) => {
        id += 1;
        const own = id;
        const hear = ({ data }: MessageEvent<string>) => {
          const message = JSON.parse(data) as {
            id?: number;
            result: Reply;
            error?: { message: string };
          };
          if (message.id !== own) return;
          socket.removeEventListener('message', hear);
          if (message.error === undefined) resolve(message.result);
          else reject(new Error(`${method}: ${message.error.message}`));
        };
        socket.addEventListener('message', hear);
        socket.send(JSON.stringify({ id, method, params }));
      }),
    close: () => socket.close(),
  };
}
