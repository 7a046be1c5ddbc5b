import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import type { Mail, Mailer } from '#server/lib/mailer.ts';
import { createMailer } from './index.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

const mail: Mail = {
  to: { name: 'Maya Okafor', address: 'maya@purser.test' },
  subject: 'Payroll received',
  text: 'Hi Maya,\n\nYour pay is here.\n',
  html: '<p>Hi Maya,</p>',
};

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Received {
  from: string;
  to: string[];
  text: string;
}

/**
 * A mail server on a free port. `refuse` answers RCPT TO: an SMTP code to refuse with, and optional
 * text after it; or null.
 */
async function startServer(
  refuse: (address: string) => number | readonly [code: number, words: string] | null = () => null,
) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onAuth: (auth, _session, done) =>
      auth.password === 'right'
        ? done(null, { user: 'purser' })
        : done(new Error('no such login for purser')),
    onRcptTo(address, _session, done) {
      const refusal = refuse(address.address);
      if (refusal === null) return done();
      const [responseCode, words] =
        typeof refusal === 'number' ? [refusal, `<${address.address}> refused`] : refusal;
      return done(Object.assign(new Error(words), { responseCode }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise<void>((resolve) => server.close(resolve));
  closing.push(stop);
  return { received, stop, port: (server.server.address() as AddressInfo).port };
}

/**
 * Server's replies to each command, '' to the connection itself: null closes, undefined is silence.
 */
type Answers = Record<string, string | null | undefined>;

const POLITE: Answers = {
  '': '220 here',
  EHLO: '250 here',
  MAIL: '250 fine',
  RCPT: '250 fine',
  DATA: '354 go on',
  '.': '250 taken',
  RSET: '250 fine',
  QUIT: '221 bye',
};

/** A server that sends the given replies, right or wrong; returns its port. */
async function startScripted(answers: Answers): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const answer = (word: string) => {
      const words = answers[word];
      if (words === null) socket.destroy();
      else if (words !== undefined) socket.write(`${words}\r\n`);
    };
    answer('');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n')) {
        const word = line.split(/[ :]/)[0] ?? '';
        if (word !== '') answer(word);
      }
    });
    closing.unshift(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

function mailerTo(port: number, login = ''): Mailer {
  const mailer = createMailer({
    smtpUrl: `smtp://${login}127.0.0.1:${port}`,
    publicUrl: 'https://pay.example.com',
    from: null,
    dataDir: '/nowhere',
    log: () => undefined,
  });
  closing.unshift(() => mailer.close());
  return mailer;
}

describe('an SMTP server', () => {
  test('text and HTML arrive, from the address of the public host', async () => {
    const { received, port } = await startServer();
    const mailer = mailerTo(port, 'purser:right@');
    expect(await mailer.send(mail)).toBe('sent');
    expect(received).toMatchObject([{ from: 'purser@pay.example.com', to: ['maya@purser.test'] }]);
    const [{ text } = { text: '' }] = received;
    expect(text).toContain('Subject: Payroll received');
    expect(text).toContain('Your pay is here.');
    expect(text).toContain('<p>Hi Maya,</p>');
    expect(text).toMatch(/multipart\/alternative/);
  });

  test('has a one-click unsubscribe header if the mail has an address for it', async () => {
    const { received, port } = await startServer();
    const mailer = mailerTo(port);
    const unsubscribeUrl = `https://pay.example.com/unsubscribe?token=${'a'.repeat(90)}`;
    await mailer.send({ ...mail, unsubscribeUrl });
    await mailer.send(mail);
    const [first = '', second = ''] = received.map(({ text }) =>
      text.replaceAll(/\r\n[ \t]+/g, ' '),
    );
    expect(first).toMatch(
      /^List-Unsubscribe: <https:\/\/pay\.example\.com\/unsubscribe\?token=a{90}>\r?$/m,
    );
    expect(first).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    expect(second).not.toContain('List-Unsubscribe');
    for (const text of [first, second])
      expect(text).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
  });

  test.each([
    [550, '5.1.1 <maya@purser.test> User unknown'],
    [551, '5.1.6 Has moved'],
    [553, '5.1.3 Bad syntax'],
    [550, '5.1.10 The domain takes no mail'],
  ])('%i %s: there is no such address', async (code, words) => {
    const { received, port } = await startServer(() => [code, words]);
    const mailer = mailerTo(port);
    expect(await mailer.send(mail)).toBe('unknown');
    expect(received).toEqual([]);
    await mailer.verify();
  });

  test.each([
    [550, '5.1.7 Bad address of the sender', '550 5.1.7', true],
    [550, '5.1.8 No such domain of the sender', '550 5.1.8', true],
    [554, '5.7.1 <maya@purser.test>: Relay access denied', '554 5.7.1', true],
    [550, '5.1.11 Of no known meaning', '550 5.1.11', false],
    [550, 'User unknown', '550', false],
    [552, '5.2.2 Mailbox full', '552 5.2.2', false],
    [554, '5.1.1 Transaction failed', '554 5.1.1', false],
  ])('%i %s: is worth a retry', async (code, words, reason, isOfAll) => {
    let isRefusing = true;
    const { received, port } = await startServer(() => (isRefusing ? [code, words] : null));
    const mailer = mailerTo(port);
    await expect(mailer.send(mail)).rejects.toThrow(
      `The mail server did not take the mail (${reason})`,
    );
    const verified = await mailer.verify().catch((error: unknown) => String(error));
    expect(verified).toBe(
      isOfAll ? `Error: The mail server refuses our mails (${reason})` : undefined,
    );
    isRefusing = false;
    expect(await mailer.send(mail)).toBe('sent');
    await mailer.verify();
    expect(received).toHaveLength(1);
  });

  test('a busy mailbox is retried, and the error names nobody', async () => {
    let isBusy = true;
    const { received, port } = await startServer(() => (isBusy ? 451 : null));
    const mailer = mailerTo(port);
    const error = await mailer.send(mail).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: 'The mail server did not take the mail (451)' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('maya@');
    isBusy = false;
    expect(await mailer.send(mail)).toBe('sent');
    expect(received).toHaveLength(1);
  });

  test('a wrong login and a server that is away are worth a retry', async () => {
    const { port, stop } = await startServer();
    await expect(mailerTo(port, 'purser:wrong@').send(mail)).rejects.toThrow('(535)');
    await stop();
    await expect(mailerTo(port).send(mail)).rejects.toThrow(/did not take the mail \(E[A-Z]+\)/);
  });

  test.each<[what: string, answers: Answers, reason: string]>([
    ['closes before it says anything', { '': null }, 'ECONN'],
    ['says nothing', {}, 'ETIMEDOUT'],
    ['closes after its greeting', { '': '220 here', EHLO: null }, 'ECONN'],
    ['says nothing after its greeting', { '': '220 here' }, 'ETIMEDOUT'],
    ['closes at the recipient', { ...POLITE, RCPT: null }, 'ECONN'],
    ['takes the mail and closes without a word', { ...POLITE, '.': null }, 'ECONN'],
    ['takes the mail and says nothing', { ...POLITE, '.': undefined }, 'ETIMEDOUT'],
  ])('a server that %s is worth a retry', async (_what, answers, reason) => {
    const port = await startScripted(answers);
    const mailer = createSmtpMailer({
      url: `smtp://127.0.0.1:${port}`,
      from: 'Purser <purser@example.com>',
      timeouts: { connectionTimeout: 300, greetingTimeout: 300, socketTimeout: 300 },
    });
    closing.unshift(() => mailer.close());
    await expect(mailer.send(mail)).rejects.toThrow(
      new RegExp(`did not take the mail \\(${reason}`),
    );
  });

  test('checks that the server is there and accepts the login, without sending', async () => {
    const { received, port, stop } = await startServer();
    await mailerTo(port, 'purser:right@').verify();
    await expect(mailerTo(port, 'purser:wrong@').verify()).rejects.toThrow(
      'The mail server is not ready (535)',
    );
    await stop();
    await expect(mailerTo(port).verify()).rejects.toThrow(/is not ready \(E[A-Z]+\)/);
    expect(received).toEqual([]);
  });

  test('a subject or name with a line break adds no header', async () => {
    const { received, port } = await startServer();
    await mailerTo(port).send({
      ...mail,
      to: { name: 'Maya\r\nBcc: all@purser.test', address: 'maya@purser.test' },
      subject: 'Hello\r\nBcc: all@purser.test',
    });
    expect(received).toMatchObject([{ to: ['maya@purser.test'] }]);
    expect(received[0]?.text).not.toMatch(/^Bcc:/m);
  });
});

describe('with no mail server', () => {
  async function openDataDir(): Promise<string> {
    const dataDir = await mkdtemp(join(tmpdir(), 'purser-mail-'));
    closing.push(() => rm(dataDir, { recursive: true }));
    return dataDir;
  }

  const localMailer = (dataDir: string, log: (sentence: string) => void = () => undefined) =>
    createMailer({ smtpUrl: null, publicUrl: 'http://localhost:3000', from: null, dataDir, log });

  test('mail is stored in the data folder, and a link to open is logged', async () => {
    const dataDir = await openDataDir();
    const logged: string[] = [];
    const mailer = localMailer(dataDir, (sentence) => logged.push(sentence));
    await mailer.send(mail);
    expect(logged).toEqual([]);
    await mailer.send({ ...mail, link: 'http://localhost:3000/onboarding?reset=abc' });
    expect(logged).toEqual([expect.stringContaining('/onboarding?reset=abc')]);
    const files = (await readdir(join(dataDir, 'mail'))).toSorted();
    expect(files).toHaveLength(2);
    const text = await readFile(join(dataDir, 'mail', files[0] ?? ''), 'utf8');
    expect(text).toContain('To: Maya Okafor <maya@purser.test>');
    expect(text).toContain('Your pay is here.');
  });

  test('checks that mail can be stored, and leaves no file', async () => {
    const dataDir = await openDataDir();
    await localMailer(dataDir).verify();
    expect(await readdir(join(dataDir, 'mail'))).toEqual([]);
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    await expect(localMailer(file).verify()).rejects.toThrow('ENOTDIR');
  });

  test('a folder that a person has deleted is created again by the retry', async () => {
    const dataDir = await openDataDir();
    const mailer = localMailer(dataDir);
    await mailer.send(mail);
    await rm(join(dataDir, 'mail'), { recursive: true });
    await expect(mailer.send(mail)).rejects.toThrow('ENOENT');
    await mailer.send(mail);
    expect(await readdir(join(dataDir, 'mail'))).toHaveLength(1);
  });

  test('the oldest are deleted when there are many', async () => {
    const dataDir = await openDataDir();
    const subjectsOf = async () => {
      const files = (await readdir(join(dataDir, 'mail'))).toSorted();
      const texts = await Promise.all(
        files.map((file) => readFile(join(dataDir, 'mail', file), 'utf8')),
      );
      return texts.map((text) => /^Subject: (.*)$/m.exec(text)?.[1]);
    };
    const numbers = (from: number) =>
      Array.from({ length: 200 }, (_, index) => `Number ${from + index}`);

    const mailer = localMailer(dataDir);
    for (let count = 0; count < 203; count += 1) {
      await mailer.send({ ...mail, subject: `Number ${count}` });
    }
    expect(await subjectsOf()).toEqual(numbers(3));
    // Also those of an earlier start; a mail that a person has deleted causes no error.
    await rm(join(dataDir, 'mail', (await readdir(join(dataDir, 'mail'))).toSorted()[0] ?? ''));
    const next = localMailer(dataDir);
    await Promise.all(
      [203, 204, 205].map((count) => next.send({ ...mail, subject: `Number ${count}` })),
    );
    expect(new Set(await subjectsOf())).toEqual(new Set(numbers(6)));
  });
});
