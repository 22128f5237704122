export { ChatList } from './chat-list'
export { ChatPage } from './chat-page'
