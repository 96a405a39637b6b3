import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { buildProgram } from '../../../src/cli/build-program.ts';
import { fakeEnvironment } from './fake-environment.ts';

describe('docs/commands.md', () => {
  const text = readFileSync(new URL('../../../docs/commands.md', import.meta.url), 'utf8');
  const program = buildProgram({
    environment: fakeEnvironment(),
    loadActions: () => Promise.reject(new Error('not needed')),
    version: '0',
    finish: () => undefined,
  });

  it('has every command', () => {
    const commands = program.commands.map((command) => command.name());
    expect(commands.filter((name) => !text.includes(`| \`fleetwright ${name}`))).to.deep.equal([]);
    expect(commands.length).to.equal(10);
  });

  it('has every option', () => {
    const options = [program, ...program.commands].flatMap((command) =>
      command.options.map((option) => option.long ?? ''),
    );
    expect(options.filter((long) => long !== '--version' && !text.includes(long))).to.deep.equal([]);
    expect(options).to.include('--exit-code');
  });
});
