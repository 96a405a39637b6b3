import { expect } from 'chai';
import { authorizationVariables, gitEnvironment } from '../../../../src/git/native/git-environment.ts';

describe('gitEnvironment', () => {
  const wanted = { home: '/h', configPath: '/h/gitconfig', protocol: 'http' } as const;

  it('passes on the way to the server and nothing else', () => {
    const environment = {
      PATH: '/bin',
      HTTP_PROXY: 'http://proxy:1',
      NO_PROXY: 'localhost',
      GIT_DIR: '/elsewhere',
      GIT_SSH_COMMAND: 'evil',
      GITHUB_TOKEN: 'secret',
    };
    expect(gitEnvironment({ ...wanted, environment })).to.deep.equal({
      PATH: '/bin',
      http_proxy: 'http://proxy:1',
      NO_PROXY: 'localhost',
      HOME: '/h',
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/h/gitconfig',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: 'http:https',
    });
  });

  it('knows where programs usually are', () => {
    expect(gitEnvironment({ ...wanted, environment: {} }))
      .to.have.property('PATH')
      .that.includes('/usr/bin');
  });

  it('binds credentials to the address of the repository', () => {
    expect(authorizationVariables('https://git.example/x', undefined)).to.deep.equal({});
    expect(authorizationVariables('https://git.example/x', 'Basic eA==')).to.deep.equal({
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.https://git.example/x.extraHeader',
      GIT_CONFIG_VALUE_0: 'Authorization: Basic eA==',
    });
  });
});
