// What stands in the place of an empty list: how to send the first push.

import {$, copyText, fill, h, icon} from './dom.js';
import {getText, origin} from './api.js';
import {hear, state} from './state.js';

const languages = {
  'Shell, Go, OpenSSL': (facts) => `export SSL_CERT_FILE=${facts.ca}`,
  'Node.js': (facts) => `export NODE_EXTRA_CA_CERTS=${facts.ca}`,
  'Python requests': (facts) => `export REQUESTS_CA_BUNDLE=${facts.ca}`,
  'Java': (facts) => `curl -sS -o ca.p12 ${origin()}/v1/ca.p12\nexport JAVA_TOOL_OPTIONS="-Djavax.net.ssl.trustStore=ca.p12 -Djavax.net.ssl.trustStorePassword=mock-apns"`,
  'Swift (APNSwift), no TLS': (facts) => `export APNS_URL=${facts.plain ?? 'http://127.0.0.1:2200'}${facts.plain ? '' : '   # start the server with --http1-listen 127.0.0.1:2200'}`,
};
let language = localStorage.getItem('mock-apns-language') ?? Object.keys(languages)[0];
if (!languages[language]) [language] = Object.keys(languages);

function serverFacts() {
  const listener = (kind) => state.info?.listeners.find((one) => one.kind === kind)?.address;
  const host = (address) => address?.replace(/^0\.0\.0\.0|^\[::\]/, location.hostname);
  const plain = host(listener('http1'));
  return {
    apns: host(listener('apns')) ?? '127.0.0.1:2197', plain: plain && `http://${plain}`, ca: state.info?.ca.file || 'certs/ca.pem',
    keyFile: state.info?.key.file || 'certs/AuthKey_MOCK000001.p8', keyId: state.info?.key.keyId || 'MOCK000001', teamId: state.info?.key.teamId || 'MOCKTEAM01',
  };
}

function curl(facts) {
  const folder = facts.ca.replace(/[^/]*$/, '');
  return `curl --http2 --cacert ${facts.ca} --cert ${folder}client.pem --key ${folder}client.key \\
  -H 'apns-topic: com.example.app' -H 'apns-push-type: alert' \\
  -d '{"aps":{"alert":{"title":"Shipped","body":"Order 42 is on its way"},"badge":1}}' \\
  https://${facts.apns}/3/device/${'ab'.repeat(32)}`;
}

function environment(facts) {
  const [host, port] = [facts.apns.replace(/:\d+$/, ''), facts.apns.match(/\d+$/)?.[0]];
  return [languages[language](facts), `export APNS_HOST=${host} APNS_PORT=${port}`,
    `export APNS_KEY_FILE=${facts.keyFile} APNS_KEY_ID=${facts.keyId} APNS_TEAM_ID=${facts.teamId}`].join('\n');
}

export function showEmpty() {
  const card = $('empty');
  if (state.search || state.outcome) {
    fill(card, h('div', {class: 'empty-card'}, h('h2', {}, 'Nothing matches'),
      h('p', {}, 'No request that the server holds is like that. What comes is shown when it matches.'),
      h('button', {type: 'button', class: 'button', on: {click: () => document.dispatchEvent(new CustomEvent('clear-filters'))}}, 'Show all requests')));
    return;
  }
  const facts = serverFacts();
  fill(card, h('div', {class: 'empty-card'}, h('h2', {}, 'Waiting for the first push'),
    h('p', {}, `Point a sender at ${facts.apns} and trust the test CA. Each push appears here as it arrives, with what the phone shows.`),
    step('Send one with curl', curl(facts)),
    step('Tell your sender', environment(facts), h('select', {
      'aria-label': 'Language',
      on: {
        change: (event) => {
          language = event.target.value;
          localStorage.setItem('mock-apns-language', language);
          showEmpty();
        },
      },
    }, Object.keys(languages).map((name) => h('option', {set: {selected: name === language}}, name)))),
    authority()));
}

function step(title, text, control) {
  return h('section', {class: 'copy-step'}, h('header', {}, title, h('span', {class: 'tail'}, control, copyButton(title, () => Promise.resolve(text)))), h('pre', {tabindex: 0}, text));
}

function authority() {
  return h('section', {class: 'copy-step'}, h('header', {}, 'The CA to trust', copyButton('the CA', () => getText('/ca.pem', {ofServer: true, accept: '*/*'}))),
    h('pre', {tabindex: 0}, `curl -sS -o ca.pem ${origin()}/v1/ca.pem`));
}

function copyButton(what, text) {
  return h('button', {type: 'button', class: 'button is-small', on: {click: async () => copyText(await text(), what)}}, icon('copy'), 'Copy');
}

hear('info entries', () => {
  if (!$('empty').hidden) showEmpty();
});
