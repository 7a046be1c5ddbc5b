'use strict';
/*
 * A lock that one command at a time holds while it installs the packages: a named pipe that the command and its npm keep
 * open. The system closes it when both have ended, also when they were killed. Like bootstrap.cjs this uses no package,
 * and no syntax that an old Node does not know.
 */
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const POLL_MS = 100;
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

/**
 * Calls `work(descriptor)` once no other process holds the lock `file`, which this process then holds to its end. A child
 * that is given the descriptor holds it, too. Where there are no named pipes (Windows, some shared folders), nothing is
 * locked and there is no descriptor.
 *
 * @param busy called when another process holds it
 */
function withInstallLock(file, busy, work) {
  const own = file + '.' + process.pid;
  const held = openPipe(own);
  if (held === undefined) return work(undefined);
  let isOurs = false;
  process.once('exit', function () {
    for (const left of isOurs ? [own, file] : [own]) fs.rmSync(left, { force: true });
  });
  try {
    if (!isTaken()) busy();
  } catch {
    // The folder cannot be written, which npm says in its own words.
    return work(undefined);
  }
  attempt();

  function attempt() {
    if (!isOurs && !isTaken()) return setTimeout(attempt, POLL_MS);
    work(held);
  }

  /** True if the lock is ours now. The lock of processes that have ended is removed first. */
  function isTaken() {
    for (;;) {
      try {
        fs.linkSync(own, file);
        isOurs = true;
        return true;
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      if (isOpen(file)) return false;
      removeLeft(file, own + '.left');
    }
  }
}

function openPipe(file) {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.rmSync(file, { force: true });
    if (spawnSync('mkfifo', ['-m', '600', file]).status !== 0) return undefined;
    return fs.openSync(file, O_RDONLY | O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** Renames first: if another process has taken the lock in between, it is put back. */
function removeLeft(file, aside) {
  try {
    fs.renameSync(file, aside);
    if (isOpen(aside)) fs.linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  fs.rmSync(aside, { force: true });
}

/** True while a process has the pipe open. */
function isOpen(pipe) {
  try {
    fs.closeSync(fs.openSync(pipe, O_WRONLY | O_NONBLOCK));
    return true;
  } catch (error) {
    if (error.code === 'ENXIO' || error.code === 'ENOENT') return false;
    throw error;
  }
}

module.exports = { withInstallLock };
